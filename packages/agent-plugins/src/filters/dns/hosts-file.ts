/**
 * Hosts files: addresses and their names, in the order of Ruby's reader. The first name of an address is its name, the last
 * address of a name is its address.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Where the system keeps its own; read besides the files of the user. */
const SYSTEM_HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

export interface HostsFile {
  readonly addressOf: ReadonlyMap<string, string>;
  readonly nameOf: ReadonlyMap<string, string>;
}

export function parseHosts(text: string): HostsFile {
  const addressOf = new Map<string, string>();
  const nameOf = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const name of names) {
      addressOf.set(name, address);
      if (!nameOf.has(address)) nameOf.set(address, name);
    }
  }
  return { addressOf, nameOf };
}

/** The files given, which must be there, and behind them that of the system if it has one. */
export function readHostsFiles(paths: readonly string[]): readonly HostsFile[] {
  return [...paths.map((path) => parseHosts(readFileSync(path, 'utf8'))), parseHosts(readOptional(SYSTEM_HOSTS))];
}

/** Empty when the file cannot be read: a system without it has nothing to say. */
export function readOptional(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
