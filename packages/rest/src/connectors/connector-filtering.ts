/**
 * Filters of a connector: the rules that count, and a draft of others, which is edited, found valid by the service of connectors, and
 * then takes their place.
 */
import { isJsonObject, type JsonObject } from '../request/json-body.ts';
import { defaultRule } from './connector-document.ts';
import { refused } from './connector-errors.ts';

interface DraftEdit {
  /** null: as it was. */
  readonly snippet: unknown;
  /** null: as they were. */
  readonly rules: unknown;
  readonly now: string;
}

/** The draft with what is new; it counts for nothing until it was found valid. */
export function editedDraft(filtering: unknown, { snippet, rules, now }: DraftEdit): readonly JsonObject[] {
  return withDraft(filtering, (draft) => ({
    advanced_snippet: isJsonObject(snippet) ? timed(snippet, now) : draft.advanced_snippet,
    rules: Array.isArray(rules) ? completeRules(rules.filter(isJsonObject), now) : draft.rules,
    validation: { errors: [], state: 'edited' },
  }));
}

export function validatedDraft(filtering: unknown, validation: unknown): readonly JsonObject[] {
  return withDraft(filtering, (draft) => ({ ...draft, validation }));
}

/** The draft in the place of the rules that count. @throws status_exception unless the draft was found valid */
export function activated(filtering: unknown): readonly JsonObject[] {
  return withFirst(filtering, (first) => {
    const draft = objectIn(first, 'draft');
    if (objectIn(draft, 'validation').state !== 'valid') {
      throw refused('Filtering draft needs to be validated by the connector service before activation.');
    }
    return { ...first, active: draft };
  });
}

/** In their order, the default rule last. */
function completeRules(rules: readonly JsonObject[], now: string): readonly JsonObject[] {
  const others = rules.filter(({ id }) => id !== 'DEFAULT').map((rule) => timed(rule, now));
  const sorted = others.toSorted((a, b) => Number(a.order) - Number(b.order));
  const given = rules.find(({ id }) => id === 'DEFAULT');
  return [...sorted, given === undefined ? { ...defaultRule(now), order: others.length } : timed(given, now)];
}

function timed(part: JsonObject, now: string): JsonObject {
  return { created_at: now, updated_at: now, ...part };
}

function withDraft(filtering: unknown, change: (draft: JsonObject) => JsonObject): readonly JsonObject[] {
  return withFirst(filtering, (first) => ({ ...first, draft: change(objectIn(first, 'draft')) }));
}

/** The first domain is the only one that requests can name. */
function withFirst(filtering: unknown, change: (first: JsonObject) => JsonObject): readonly JsonObject[] {
  const [first = {}, ...others] = Array.isArray(filtering) ? filtering.filter(isJsonObject) : [];
  return [change(first), ...others];
}

function objectIn(parent: JsonObject, name: string): JsonObject {
  const value = parent[name];
  return isJsonObject(value) ? value : {};
}
