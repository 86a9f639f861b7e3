#!/usr/bin/env node
/** `npm start [-- OPTIONS]`: builds what is not built, then is `shoal up OPTIONS`. */
import { join } from 'node:path';
import { buildIfNeeded, root } from './built.mjs';

buildIfNeeded();
// In this process, so that Ctrl-C reaches one program and there is no parent to outlive it.
process.argv.splice(1, process.argv.length, join(root, 'packages/cli/bin/shoal.js'), 'up', ...process.argv.slice(2));
await import('../packages/cli/bin/shoal.js');
