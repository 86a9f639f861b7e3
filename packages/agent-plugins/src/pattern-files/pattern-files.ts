/**
 * Pattern files of users: what `patterns_dir` names, folders or files. What cannot be used is said once for all plugins of a
 * pipeline and never stops it: a folder of patterns often holds more than patterns.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginContext } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import { addPatternText } from '@shoal/extraction';

/** Files of one folder beyond this are a mistake of the path. */
const FILES_MAX = 1_000;
const LINES_SHOWN_MAX = 5;

/** Files and folders of which something was said. */
class MentionedPatterns {
  readonly paths = new Set<string>();
}

export interface PatternPaths {
  readonly paths: readonly string[];
  /** Names of files that are read, with `*` and `?`. */
  readonly glob: string;
}

export function addPatternFiles(
  library: Map<string, string>,
  { paths, glob }: PatternPaths,
  context: Pick<PluginContext, 'runtime' | 'commons' | 'pipelineId' | 'position'>,
): void {
  const mentioned = context.commons?.get(MentionedPatterns) ?? new MentionedPatterns();
  const warn = (path: string, message: string, details: Readonly<Record<string, unknown>>): void => {
    if (mentioned.paths.has(path)) return;
    mentioned.paths.add(path);
    const { pipelineId: pipeline, position, runtime } = context;
    runtime.log.warn(message, { pipeline, position, path, ...details });
  };
  for (const path of paths) {
    for (const file of filesOf(path, glob, warn)) {
      const text = readText(file, warn);
      if (text === null) continue;
      const lines = addPatternText(library, text, file);
      if (lines.length > 0)
        warn(file, 'lines of a pattern file define nothing', { lines: lines.slice(0, LINES_SHOWN_MAX).join(', ') });
    }
  }
}

type Warn = (path: string, message: string, details: Readonly<Record<string, unknown>>) => void;

function filesOf(path: string, glob: string, warn: Warn): readonly string[] {
  try {
    if (statSync(path).isFile()) return [path];
    const wanted = globRegex(glob);
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && wanted.test(entry.name))
      .map((entry) => join(path, entry.name))
      .sort()
      .slice(0, FILES_MAX);
  } catch (error) {
    warn(path, 'patterns_dir names what cannot be read', { error: messageOf(error) });
    return [];
  }
}

function readText(file: string, warn: Warn): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    warn(file, 'a pattern file cannot be read', { error: messageOf(error) });
    return null;
  }
}

function globRegex(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`);
}
