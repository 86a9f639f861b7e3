/**
 * Ports for the nodes of a local cluster: the first free ones, or exactly the one that was asked for.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

const PORTS_TRIED_MAX = 200;

/** A port that was asked for by flag is taken. */
class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

export interface PortRange {
  readonly host: string;
  readonly first: number;
  /** The first port was asked for by flag: it is used, or the start fails. */
  readonly isFirstFixed: boolean;
  readonly count: number;
}

/** `count` free ports, ascending from `first` (0: from anywhere); those passed over were taken. */
export async function choosePorts(range: PortRange): Promise<readonly number[]> {
  const first = range.first === 0 ? anyFirstPort() : range.first;
  const ports: number[] = [];
  for (let port = first; ports.length < range.count; port++) {
    if (port - first >= PORTS_TRIED_MAX || port > 65_535) {
      throw new PortTakenError(`no ${range.count} free ports on ${range.host} from ${first} on`);
    }
    if (await isFree(range.host, port)) ports.push(port);
    else if (range.isFirstFixed && port === range.first) throw new PortTakenError(takenText(range.host, port));
  }
  return ports;
}

/**
 * Below the range from which systems give ports to outgoing connections, so that none is taken between choice and use; above
 * 10080, the last one that browsers and `fetch` refuse to call.
 */
function anyFirstPort(): number {
  return 10_100 + Math.floor(Math.random() * 20_000);
}

export function takenText(host: string, port: number): string {
  const holder = findHolder(port);
  return `port ${port} on ${host} is taken${holder === null ? '' : ` by ${holder}`}: end that, or choose another port`;
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** Name and pid of the process that listens on a port, where /proc tells; null where it does not. */
function findHolder(port: number): string | null {
  const inode = listeningInode(port);
  if (inode === null) return null;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const holds = readdirSync(`/proc/${pid}/fd`).some(
        (fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`,
      );
      if (holds)
        return `process ${pid} (${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 120)})`;
    } catch {
      // Processes of others cannot be looked into, and some end meanwhile: the holder stays unknown.
    }
  }
  return null;
}

/** Column 3 of /proc/net/tcp is the state (0A listens), column 9 the socket's inode; the port is hexadecimal. */
function listeningInode(port: number): string | null {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    try {
      for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
        const columns = line.trim().split(/\s+/);
        if (columns[1]?.endsWith(suffix) && columns[3] === '0A') return columns[9] ?? null;
      }
    } catch {
      // No /proc on this system: the holder stays unknown.
    }
  }
  return null;
}
