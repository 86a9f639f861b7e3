/**
 * Files that users put into the configuration folder of a node for what names them: lists of words, rules, databases.
 *
 * Read as they are needed, by each node its own. The call blocks its thread, so that nobody reads them but what is being made, and never for a
 * single document.
 */
export interface ConfigFiles {
  /** @param path below the folder, or absolute in it @param bytesMax larger files are not read */
  read(path: string, bytesMax: number): ConfigFile;
  /** When the file was changed last; null: `read` would find none. */
  modifiedMs(path: string): number | null;
}

/** A file, or why it is not read. `path` is absolute where there is a folder. */
export type ConfigFile =
  | { readonly kind: 'read'; readonly path: string; readonly bytes: Uint8Array }
  /** `outside`: the path leads out of the folder. `unreadable`: there is something that is no file, or may not be read. */
  | { readonly kind: 'missing' | 'outside' | 'unreadable' | 'tooLarge'; readonly path: string };

/** A node without a folder: every file is missing. */
export const NO_CONFIG_FILES: ConfigFiles = { read: (path) => ({ kind: 'missing', path }), modifiedMs: () => null };
