/**
 * The gate before the HTTP port of a node, as its settings want it.
 */
import { illegalArgument, messageOf } from '@shoal/core';
import { BasicCredentials, CorsPolicy, HostRule, RequestGate } from '@shoal/http';
import type { AllowedOrigins, HttpAccessConfig } from '../settings/http-access-config.ts';
import { CORS_ALLOW_ORIGIN, HTTP_ALLOWED_HOSTS } from '../settings/node-settings.ts';

/** The only user, with Elasticsearch's name for it. */
const USER = 'elastic';

type OriginMatcher = (origin: string) => boolean;

/**
 * Time for one comparison: an origin is short, and a pattern that can run away is refused when the node starts. The clock goes on
 * while a busy machine lets the thread wait, which must not refuse an origin.
 */
const MATCH_MS_MAX = 500;
/** Distinct origins whose verdict is kept: few pages ask, again and again. */
const VERDICTS_KEPT = 64;

/** Rejects for a pattern of origins that is none, or that can take exponential time. */
export async function httpGate({ ownNames, allowedHosts, cors, password }: HttpAccessConfig): Promise<RequestGate> {
  return new RequestGate({
    // A page that rebound a name to this machine has no password either.
    hosts: allowedHosts === null || password !== null ? null : new HostRule(ownNames, allowedHosts),
    hostsSetting: HTTP_ALLOWED_HOSTS.name,
    originsHint: `list its origin in [${CORS_ALLOW_ORIGIN.name}] and set [http.cors.enabled: true]`,
    hasUsers: password !== null,
    ...(password === null ? {} : { credentials: new BasicCredentials(USER, password) }),
    cors: cors === null ? null : new CorsPolicy({ ...cors, allowsOrigin: await originMatcher(cors.origins) }),
  });
}

/** null: every origin. */
async function originMatcher(allowed: AllowedOrigins): Promise<OriginMatcher | null> {
  if (allowed.kind === 'any') return null;
  if (allowed.kind === 'pattern') return patternMatcher(allowed.source);
  const origins = new Set(allowed.origins);
  return (origin) => origins.has(origin);
}

async function patternMatcher(source: string): Promise<OriginMatcher> {
  // Loaded for those who write a pattern alone.
  const { findBlowUps, watchedCall } = await import('@shoal/ruby-regex');
  const pattern = compiled(source);
  const [blowUp] = blowUpsOf(source, findBlowUps);
  if (blowUp !== undefined) throw badPattern(source, `[${blowUp}] can take exponential time`);
  const watched = watchedCall(MATCH_MS_MAX);
  const verdicts = new Map<string, boolean>();
  return (origin) => {
    const known = verdicts.get(origin);
    if (known !== undefined) return known;
    const verdict = watched(() => pattern.test(origin));
    if (typeof verdict !== 'boolean') return false; // It took too long.
    if (verdicts.size < VERDICTS_KEPT) verdicts.set(origin, verdict);
    return verdict;
  };
}

function compiled(source: string): RegExp {
  try {
    return new RegExp(`^(?:${source})$`);
  } catch (error) {
    throw badPattern(source, messageOf(error));
  }
}

function blowUpsOf(source: string, find: (pattern: string) => readonly { readonly part: string }[]): readonly string[] {
  try {
    return find(source).map(({ part }) => part);
  } catch {
    return []; // A form that only the other dialect refuses: it runs under a time limit.
  }
}

function badPattern(source: string, why: string): Error {
  return illegalArgument(`Bad regex in [${CORS_ALLOW_ORIGIN.name}]: [${source}]: ${why}`);
}
