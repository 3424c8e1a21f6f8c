/** The command ptx. */
package io.ptx4j.cli;
