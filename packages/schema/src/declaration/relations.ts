/**
 * `relations` of a join field: for each kind of parent the kinds of its children. A kind may be a child and a parent of others.
 */
import { asObject, type JsonObject, javaClassOf } from './json-object.ts';
import { mapperParsing } from './mapping-error.ts';

/** Kinds of children by that of their parent. */
export type JoinRelations = ReadonlyMap<string, readonly string[]>;

/** Kinds of one field. */
const KINDS_MAX = 10_000;

/** @throws ShoalError `mapper_parsing_exception` for a child of two parents, and what are no names */
export function readRelations(field: string, json: JsonObject): JoinRelations {
  const relations = new Map<string, readonly string[]>();
  const children = new Set<string>();
  for (const [parent, value] of Object.entries(json)) {
    const names = (Array.isArray(value) ? value : [value]).map(String);
    for (const child of names) {
      if (children.has(child)) {
        throw mapperParsing(`invalid definition for join field [${field}]:\n[[${child}] cannot have multiple parents]`);
      }
      if (child === parent) {
        throw mapperParsing(`invalid definition for join field [${field}]:\n[[${child}] cannot be its own parent]`);
      }
      children.add(child);
    }
    relations.set(parent, names);
  }
  if (children.size + relations.size > KINDS_MAX) {
    throw mapperParsing(`join field [${field}] has more than [${KINDS_MAX}] relations`);
  }
  return relations;
}

/** Relations as they are kept and printed: one child alone as its name. */
export function normaliseRelations(field: string, value: unknown): JsonObject {
  const json = asObject(value);
  if (json === null) throw mapperParsing(`class ${javaClassOf(value)} cannot be cast to class java.util.Map`);
  const entries = [...readRelations(field, json)].map(([parent, children]): [string, unknown] => [
    parent,
    children.length === 1 ? children[0] : children,
  ]);
  return Object.fromEntries(entries);
}

/** What a change of relations takes away: documents have it. Kinds may be added, children to kinds that are parents already. */
export function removedRelations(path: string, before: JsonObject, after: JsonObject): readonly string[] {
  const [old, now] = [readRelations(path, before), readRelations(path, after)];
  const faults: string[] = [];
  for (const [parent, children] of old) {
    const kept = now.get(parent);
    if (kept === undefined) faults.push(`cannot remove parent [${parent}] in join field [${path}]`);
    for (const child of children) {
      if (kept !== undefined && !kept.includes(child)) {
        faults.push(`cannot remove child [${child}] in join field [${path}]`);
      }
    }
  }
  const children = new Set([...old.values()].flat());
  for (const [parent] of now) {
    if (!old.has(parent) && children.has(parent))
      faults.push(`cannot create parent [${parent}] from an existing child`);
  }
  for (const child of [...now.values()].flat()) {
    if (!children.has(child) && old.has(child)) faults.push(`cannot create child [${child}] from an existing parent`);
  }
  return faults;
}
