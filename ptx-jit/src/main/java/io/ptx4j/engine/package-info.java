/**
 * The seam between the runtime and the engines: what a loaded program is, what a launch hands to a worker, and how an engine
 * runs blocks.
 *
 * <h2>Addresses</h2>
 * A generic address (also that of {@code .global}) is {@link io.ptx4j.engine.AddressSpace#BASE} plus an offset into the one
 * segment that is the device's memory. {@code .shared}, {@code .const}, {@code .param} and {@code .local} addresses are offsets
 * from the start of the block's, module's, launch's or thread's window; each window lies inside the device's memory, so that
 * {@code cvta} adds the window's base and a generic access needs no switch.
 *
 * <h2>Order of execution</h2>
 * Both engines run the threads of a block in this order, so that with one worker they agree on everything, races included:
 * <ol>
 * <li>A <em>meeting point</em> is an instruction at which threads meet: a CTA barrier, or a warp operation (shuffle, vote, match,
 *     {@code activemask}, {@code redux}, {@code elect}, {@code bar.warp.sync}, matrix operations). Between meeting points each thread
 *     runs alone, as far as it gets.
 * <li>Threads of a warp (32 consecutive linear indices) run in ascending order until each stands at a meeting point or has
 *     ended. Then, of the meeting points at which threads of the warp stand and that can execute, the one first in the text
 *     executes for the threads that meet there, and those run on, again in ascending order. Threads that
 *     different calls have led to one instruction of a function meet there, recursive ones at different depths too.
 * <li>At a warp operation with a member mask the threads with the same mask, bit for bit, meet, at whatever instructions of that spelling
 *     they stand; the place of the first of them in the text is the operation's. It can execute for them when every
 *     thread that the mask names stands there with that mask or has ended; of several such masks at one place it is the turn
 *     of the one with the lowest lane of the threads there. A mask that lacks the thread's own lane is found when it would be the operation's
 *     turn, so after all threads of the warp have stopped. An operation without a mask ({@code activemask}, {@code vote} and {@code shfl}
 *     of old targets) can execute when all threads of the warp have stopped, for those that stand there. Threads of the warp that wait in
 *     loops are let go on before any operation executes, {@link io.ptx4j.engine.GivingWay#ROUNDS} times. A shuffle from a lane that does not take part gives 0.
 * <li>Warps run in ascending order, each until all its threads wait at CTA barriers or have ended. A barrier then opens when
 *     all threads it counts have come (by default all that have not ended), and the round begins anew. A thread
 *     count is in whole warps: a warp all of whose remaining threads have come counts 32. At {@code bar.arrive} the threads of a
 *     warp meet, and then go on.
 * <li>A thread that waits in a loop for another one lets the other threads of its block run after {@link io.ptx4j.engine.GivingWay#TURNS}
 *     turns without an answer, where it jumps back, and goes on in the next round. Which turns count is each engine's own.
 * <li>Where only such threads, and threads at the barrier of the cluster, could go on, the block gives way ({@link
 *     io.ptx4j.engine.BlockRun}). The blocks of a cluster take turns in the order of their ranks, on one thread of the host. Other
 *     blocks that wait and blocks that have not begun take turns too.
 * <li>Of several threads that fail the first is named, in the order in which they would run if none let others run
 *     ({@link io.ptx4j.engine.EarliestFailure}).
 * <li>When nothing can execute and threads are left, or when all blocks that are under way wait and half a second brings no
 *     change (no memory written, no register changed that lives on), the launch ends with a {@link io.ptx4j.engine.Fault} that lists
 *     who waits where.
 * </ol>
 */
package io.ptx4j.engine;
