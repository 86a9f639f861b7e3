/**
 * `preference`: which copies of a shard answer. A shard has one copy, so that a preference changes nothing; what would leave out
 * shards is refused, for the answer would hold more than was asked for.
 */
import { illegalArgument } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';

/** Words that choose among the copies of each shard, and texts of users, which begin otherwise. */
const HARMLESS = /^(?!_)|^_local$|^_prefer_nodes:/;
/** Words that leave out the shards whose copies are elsewhere. */
const LEAVES_OUT = /^_shards:|^_only_local$|^_only_nodes:/;

/** For routes that declare `preference`. @throws illegal_argument_exception */
export function checkPreferenceOf({ params }: HttpRequest): void {
  checkPreference(params.string('preference'));
}

/** @throws illegal_argument_exception for a preference that leaves out shards, or is none */
export function checkPreference(preference: string | null): void {
  if (preference === null || HARMLESS.test(preference)) return;
  if (LEAVES_OUT.test(preference)) throw illegalArgument(`[preference] cannot be [${preference}] on this server`);
  throw illegalArgument(`no Preference for [${preference}]`);
}
