/**
 * The file input: follows files as they grow (tail), or reads them once from start to end (read).
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { LogEvent } from '@shoal/agent-event';
import {
  addHost,
  delimiterBytes,
  type EventSink,
  nameMatcher,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
  putMetadata,
  putMissing,
} from '@shoal/agent-plugin-kit';
import { Sincedb } from './file-sincedb.ts';
import { FileWatch, type WatchOptions } from './file-watch.ts';
import { SincedbKeeper } from './sincedb-keeper.ts';

const CHUNK_COUNT_MAX = 2 ** 62;
/** Bytes of a chunk where chunks are not counted: as large as is fast. */
const UNCOUNTED_CHUNK_BYTES = 256 * 1024;

export const fileInput: PluginDefinition = {
  kind: 'input',
  name: 'file',
  version: '4.4.6',
  options: {
    codec: { type: 'codec', default: 'plain' },
    path: { type: 'array', isRequired: true },
    exclude: { type: 'array', default: [] },
    mode: { type: ['tail', 'read'], default: 'tail' },
    start_position: { type: ['beginning', 'end'], default: 'end' },
    sincedb_path: { type: 'string' },
    sincedb_write_interval: { type: 'duration', default: 15 },
    sincedb_clean_after: { type: 'durationInDays', default: '14 days' },
    stat_interval: { type: 'duration', default: 1 },
    discover_interval: { type: 'number', default: 15 },
    delimiter: { type: 'string', default: '\n' },
    close_older: { type: 'duration', default: '1 hour' },
    ignore_older: { type: 'duration' },
    max_open_files: { type: 'number', default: 4095 },
    file_chunk_size: { type: 'number', default: 32_768 },
    file_chunk_count: { type: 'number', default: CHUNK_COUNT_MAX },
    file_sort_by: { type: ['last_modified', 'path'], default: 'last_modified' },
    file_sort_direction: { type: ['asc', 'desc'], default: 'asc' },
    exit_after_read: { type: 'boolean', default: false },
    file_completed_action: { type: ['delete', 'log', 'log_and_delete'], default: 'delete' },
    file_completed_log_path: { type: 'string' },
    check_archive_validity: { type: 'boolean', default: false },
  },
  create(options, context) {
    checkOptions(options);
    const exitsAfterRead = options.boolean('exit_after_read');
    return producingInput(context.runtime, { isEndless: !exitsAfterRead }, async (sink, control) => {
      const { clock } = context.runtime;
      const sincedb = new Sincedb(
        await sincedbPath(options, context),
        options.milliseconds('sincedb_clean_after') / 1000,
      );
      await sincedb.load();
      const keeper = new SincedbKeeper(sincedb, options.milliseconds('sincedb_write_interval'), context, sink);
      const progressed = (): Promise<void> => keeper.saveWhenDue({ isQuiet: false });
      const watch = new FileWatch({ ...watchOptions(options, context, sink), progressed }, sincedb, context.runtime);
      control.onStop(() => (watch.isStopping = true));
      const discoverEveryMs = options.milliseconds('stat_interval') * options.number('discover_interval');
      let discoveredMs = Number.NEGATIVE_INFINITY;
      try {
        while (!control.isStopped) {
          if (clock.monotonicMs() - discoveredMs >= discoverEveryMs) {
            await watch.discover();
            discoveredMs = clock.monotonicMs();
          }
          const hasRead = await watch.round();
          await keeper.saveWhenDue({ isQuiet: !hasRead });
          keeper.tell(watch.unreadableFiles);
          if (exitsAfterRead && watch.isAllDone) break;
          await control.pause(hasRead ? 0 : options.milliseconds('stat_interval'));
        }
      } finally {
        await watch.closeAll();
        await keeper.save();
      }
    });
  },
};

function checkOptions(options: PluginOptions): void {
  const isRead = options.string('mode') === 'read';
  for (const path of options.strings('path')) {
    if (!isAbsolute(path)) throw optionError(`the file input needs absolute paths, [${path}] is relative`);
  }
  if (options.boolean('exit_after_read') && !isRead)
    throw optionError('[exit_after_read] needs [mode => read]: a file that is followed never ends');
  if (isRead && options.string('file_completed_action') !== 'delete' && !options.has('file_completed_log_path'))
    throw optionError('[file_completed_action => log] needs a [file_completed_log_path]');
}

/** null for none. Without a path of the user's: below the data folder, one for each set of paths. */
async function sincedbPath(options: PluginOptions, context: PluginContext): Promise<string | null> {
  if (options.has('sincedb_path')) {
    const path = options.string('sincedb_path');
    if (path === '/dev/null' || path === 'NUL') return null;
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) throw optionError(`[sincedb_path] must be a file, [${path}] is a folder`);
    return path;
  }
  const digest = createHash('md5').update(options.strings('path').join(',')).digest('hex');
  return join(await context.dataPath(), `.sincedb_${digest}`);
}

function watchOptions(
  options: PluginOptions,
  context: PluginContext,
  sink: EventSink,
): Omit<WatchOptions, 'progressed'> {
  const isTail = options.string('mode') === 'tail';
  const excluded = options.strings('exclude').map(nameMatcher);
  const action = options.string('file_completed_action');
  const codec = options.codec('codec');
  const [chunkBytes, chunkCount] = [options.number('file_chunk_size'), options.number('file_chunk_count')];
  const delimiter = delimiterBytes(options.string('delimiter'));
  return {
    patterns: options.strings('path'),
    isExcluded: (baseName) => excluded.some((matches) => matches(baseName)),
    isTail,
    startsAtEnd: isTail && options.string('start_position') === 'end',
    closeOlderMs: options.milliseconds('close_older'),
    ignoreOlderMs: options.has('ignore_older') ? options.milliseconds('ignore_older') : null,
    maxOpenFiles: options.number('max_open_files'),
    chunkBytes: chunkCount < CHUNK_COUNT_MAX ? chunkBytes : Math.max(chunkBytes, UNCOUNTED_CHUNK_BYTES),
    chunkCount,
    sortBy: options.string('file_sort_by') === 'path' ? 'path' : 'last_modified',
    isDescending: options.string('file_sort_direction') === 'desc',
    deletesCompleted: !isTail && action !== 'log',
    completedLog: !isTail && action !== 'delete' ? options.string('file_completed_log_path') : null,
    checksArchives: options.boolean('check_archive_validity'),
    confirmed: async () => sink.confirmed?.(),
    reading: (path) => ({ codec, delimiter, sink, decorate: (event) => decorate(event, path, context) }),
  };
}

function decorate(event: LogEvent, path: string, context: PluginContext): void {
  putMetadata(event, ['path'], path);
  putMetadata(event, ['host'], context.hostName);
  addHost(event, context);
  if (context.ecs !== 'disabled') putMissing(event, ['log', 'file', 'path'], path);
  else if (!event.fields.has('path')) event.fields.set('path', path);
}
