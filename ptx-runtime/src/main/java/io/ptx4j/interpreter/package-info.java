/** The reference interpreter: one plain definition for each section of the manual. */
package io.ptx4j.interpreter;
