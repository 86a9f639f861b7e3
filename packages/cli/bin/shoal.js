#!/usr/bin/env node
import { existsSync } from 'node:fs';

// The stub is committed and the build is not: npm links a bin only when its file is there at install time.
const entry = new URL('../dist/main.js', import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write('shoal is not built yet: run `npm run build` in the repository first\n');
  process.exit(1);
}
await import(entry.href);
