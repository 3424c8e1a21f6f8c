/** Binds names, types operands and applies version and target rules; collects every problem with its place. */
package io.ptx4j.check;
