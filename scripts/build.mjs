#!/usr/bin/env node
/** `npm run build`: compiles all packages; incremental. */
import { build } from './built.mjs';

build();
