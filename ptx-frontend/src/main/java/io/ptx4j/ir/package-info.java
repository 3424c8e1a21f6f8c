/** The checked program: modules, kernels, functions and basic blocks of typed instructions. */
package io.ptx4j.ir;
