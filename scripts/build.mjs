#!/usr/bin/env node
/** `npm run build`: compiles the kernels when their sources changed, and all packages, and joins their files into a few; incremental. */
import { build } from './built.mjs';
import { makeKernels } from './make-kernels.mjs';

await makeKernels();
build();
