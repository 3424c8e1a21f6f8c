/** What every engine offers: a checked kernel in, something that runs blocks out. */
package io.ptx4j.engine;
