package io.ptx4j.engine;

/**
 * A Java method that kernels call as a function which PTX declares {@code .extern} and nobody defines (manual: "Function Declarations").
 * It is called once for each thread that calls it, by several workers at once.
 */
@FunctionalInterface
public interface DeviceFunction {
    /**
     * Runs the function for one thread. Whatever it throws ends the launch with an error that names the place of the call.
     *
     * @param call arguments, result and surroundings
     */
    void call(DeviceCall call) throws Exception;
}
