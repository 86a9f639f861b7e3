/**
 * How far a repeated search has come: the value of a field in the last hit, kept in a file, and put into the next query.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EventMap, type EventValue, parseFieldReference, printValue } from '@shoal/agent-event';
import type { PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

/** Events written while a search runs may show late: what is newer is left to the next run. */
const PRESENT_BEHIND_MS = 30_000;
const FILE_NAME = 'last_run_value';

export class FieldTracker {
  private readonly path: string;
  private readonly field: readonly string[];
  private readonly context: PluginContext;
  private value: string;

  private constructor(path: string, field: readonly string[], context: PluginContext, value: string) {
    this.path = path;
    this.field = field;
    this.context = context;
    this.value = value;
  }

  static async open(options: PluginOptions, context: PluginContext): Promise<FieldTracker> {
    if (options.has('slices') && options.number('slices') > 1) {
      const why = '[tracking_field] needs hits in one order: leave out [slices]';
      throw new ShoalError('illegal_argument_exception', 400, why);
    }
    const { path: field } = parseFieldReference(options.string('tracking_field'));
    const path = options.has('last_run_metadata_path')
      ? options.string('last_run_metadata_path')
      : join(await context.dataPath(), FILE_NAME);
    const seed = options.has('tracking_field_seed')
      ? options.string('tracking_field_seed')
      : '1970-01-01T00:00:00.000000000Z';
    return new FieldTracker(path, field, context, (await readIfThere(path)) ?? seed);
  }

  /** `:last_value` and `:present` replaced. */
  fill(query: string): string {
    const present = new Date(this.context.runtime.clock.wallMs() - PRESENT_BEHIND_MS).toISOString();
    return query.replaceAll(':last_value', escaped(this.value)).replaceAll(':present', present);
  }

  observe(hit: EventMap): void {
    let value: EventValue | undefined = hit.get('_source');
    for (const name of this.field) value = value instanceof Map ? value.get(name) : undefined;
    if (value !== undefined && value !== null) this.value = printValue(value);
  }

  /** In one step: a crash leaves the old value or the new one. */
  async save(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await writeFile(`${this.path}.new`, this.value);
    await rename(`${this.path}.new`, this.path);
  }
}

/** Escapes a value that is inserted into a JSON text. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8');
    return text === '' ? null : text;
  } catch (error) {
    // The first run has no file yet.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `[last_run_metadata_path] cannot be read: ${String(error)}`,
    );
  }
}
