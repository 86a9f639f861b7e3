#!/usr/bin/env node
/** `npm start [-- OPTIONS]`: builds what is not built, then is `shoal up --agent OPTIONS`. */
import { join } from 'node:path';
import { buildIfNeeded, root } from './built.mjs';

buildIfNeeded();
// In this process, so that Ctrl-C reaches one program and there is no parent to outlive it.
const binary = join(root, 'packages/cli/bin/shoal.js');
process.argv.splice(1, process.argv.length, binary, 'up', '--agent', ...process.argv.slice(2));
await import('../packages/cli/bin/shoal.js');
