/**
 * The servers that the dns filter asks, and the names it asks them for: search domains complete names with few dots.
 */
import { optionError } from '@shoal/agent-plugin-kit';
import { readOptional } from './hosts-file.ts';

const RESOLV_CONF = '/etc/resolv.conf';
const SEARCH_MAX = 6;

export interface SearchRules {
  /** Domains that complete a name, in the order in which they are tried. */
  readonly search: readonly string[];
  /** Names with at least so many dots are asked for as they are first. */
  readonly ndots: number;
}

export interface NameServers extends SearchRules {
  /** null: those of the system. */
  readonly addresses: readonly string[] | null;
}

/** @param value of the option: an address, a list of them, or a hash with `address`, `search` and `ndots` */
export function parseNameServers(value: unknown): NameServers {
  if (!(value instanceof Map)) return { addresses: filled(value), search: [], ndots: 1 };
  const unknown = [...value.keys()].filter((name) => !['address', 'search', 'ndots'].includes(String(name)));
  if (unknown.length > 0) throw optionError(`[nameserver] has no [${unknown.join(', ')}]: use address, search, ndots`);
  const search = texts(value.get('search'));
  if (search.length > SEARCH_MAX)
    throw optionError(`[nameserver] takes ${SEARCH_MAX} search domains, not ${search.length}`);
  const ndots = Number(value.get('ndots') ?? 1);
  if (!Number.isInteger(ndots) || ndots <= 0) throw optionError('[nameserver] needs a whole number above 0 as ndots');
  return { addresses: filled(value.get('address')), search, ndots };
}

/** Those of the system, with its search domains. */
export function systemNameServers(hostName: string): NameServers {
  return { addresses: null, ...parseResolvConf(readOptional(RESOLV_CONF), hostName) };
}

/** Search domains of a `resolv.conf`; without any the domain of the host. */
export function parseResolvConf(text: string, hostName: string): SearchRules {
  let search: readonly string[] | null = null;
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...words] = (line.split(/[#;]/)[0] ?? '').trim().split(/\s+/);
    if (keyword === 'search' && words.length > 0) search = words;
    else if (keyword === 'domain' && words.length > 0) search = words.slice(0, 1);
    else if (keyword === 'options')
      for (const word of words) {
        const digits = /^ndots:(\d{1,4})$/.exec(word)?.[1];
        if (digits !== undefined) ndots = Number(digits);
      }
  }
  const dot = hostName.indexOf('.');
  return { search: search ?? (dot < 0 ? [] : [hostName.slice(dot + 1)]), ndots };
}

/** Names to ask for, in this order, until one exists. A name with a dot at its end is complete. */
export function searchCandidates(name: string, { search, ndots }: SearchRules): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const dots = name.split('.').length - 1;
  const completed = search.map((domain) => `${name}.${domain.replace(/^\.+|\.+$/g, '')}`);
  return dots >= ndots ? [name, ...completed] : [...completed, name];
}

function filled(value: unknown): readonly string[] {
  const addresses = texts(value);
  if (addresses.length === 0) throw optionError('[nameserver] names no address');
  return addresses;
}

function texts(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
