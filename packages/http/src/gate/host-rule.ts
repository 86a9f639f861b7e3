/**
 * Names under which a server without users may be asked.
 *
 * A page can rebind a DNS name of its own to an address of this machine: the browser then sends what the page asks here, as
 * requests of the page's own site, with that name as `Host`. So a `Host` must be something that the owner of a page cannot
 * have been given by the public DNS:
 *
 * - an address: no name was looked up, there was nothing to rebind;
 * - a name without a dot: a service of docker compose or Kubernetes, a machine of this network (no such name is sold);
 * - a name below a domain that is reserved for such uses, `host.docker.internal` for one;
 * - a name of this node, and what its settings admit.
 */
import { illegalArgument, parseHostPort } from '@shoal/core';

/** Domains that the public DNS never delegates (RFC 6761, RFC 6762, RFC 8375, ICANN's resolution on `.internal`). */
const RESERVED_DOMAINS: readonly string[] = ['localhost', 'local', 'internal', 'test', 'home.arpa'];
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*(?:%[\w.-]+)?$/;
const PLAIN_NAME = /^[a-z0-9_-]+$/;
const ANY = '*';
const HOST_ENTRY = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i;
/** Longest name of the DNS, and room for a port. */
const HOST_CHARS_MAX = 262;
/** Distinct hosts whose verdict is kept; others are judged every time. */
const VERDICTS_KEPT = 64;

export class HostRule {
  readonly #names: ReadonlySet<string>;
  /** With the dot before them. */
  readonly #domains: readonly string[];
  readonly #verdicts = new Map<string, boolean>();

  /**
   * @param own names of this node, addresses among them
   * @param allowed names that settings admit: `es.example.com`, or `*.example.com` for all below it
   */
  constructor(own: readonly string[], allowed: readonly string[]) {
    const names = [...own, ...allowed].map(normalName);
    this.#names = new Set(names.filter((name) => !name.startsWith('*.')));
    this.#domains = [
      ...RESERVED_DOMAINS.map((domain) => `.${domain}`),
      ...names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1)),
    ];
  }

  /** @param host value of a `Host` header: a name or an address, with or without a port */
  admits(host: string): boolean {
    const known = this.#verdicts.get(host);
    if (known !== undefined) return known;
    const verdict = this.#judge(host);
    if (this.#verdicts.size < VERDICTS_KEPT && host.length <= HOST_CHARS_MAX) this.#verdicts.set(host, verdict);
    return verdict;
  }

  #judge(text: string): boolean {
    if (text.length > HOST_CHARS_MAX) return false;
    const parsed = parseHostPort(text.trim());
    if (parsed === null) return false;
    const host = normalName(parsed.host);
    if (IPV4.test(host) || IPV6.test(host) || PLAIN_NAME.test(host)) return true;
    return this.#names.has(host) || this.#domains.some((domain) => host.endsWith(domain));
  }
}

/** Value of a setting that lists further hosts. */
export interface AllowedHosts {
  /** Whether the list has a `*`: every host is let in. */
  readonly isAny: boolean;
  /** The other entries: `es.example.com`, or `*.example.com` for all below it. */
  readonly names: readonly string[];
}

/** @throws ShoalError illegal_argument_exception for an entry that no host could ever match, such as one with a port */
export function readAllowedHosts(entries: readonly string[], setting: string): AllowedHosts {
  const names = entries.filter((entry) => entry !== ANY);
  for (const name of names) {
    if (HOST_ENTRY.test(name)) continue;
    throw illegalArgument(
      `Failed to parse value [${name}] for setting [${setting}], must be a name without a port, ` +
        '*.NAME for all names below it, or * for any (addresses need no setting)',
    );
  }
  return { isAny: names.length < entries.length, names };
}

/** In lower case, without the dot that ends a fully qualified name. */
function normalName(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}
