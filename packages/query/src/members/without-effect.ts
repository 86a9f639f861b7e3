/**
 * Options of requests that are checked and then left alone: no answer can depend on them. An option enters this table with its reason, or
 * is read, or is refused.
 */

const REASONS = {
  force_source: 'fragments are always cut from the source',
  use_explicit_field_order: 'fields are always answered in the order of the request',
  type: 'whether a box is looked up or tested, the same documents are in it',
  distance_type: 'what is near is always found by distances along the globe',
} as const;

/** Marks the place where an option is left alone. */
export function withoutEffect(_name: keyof typeof REASONS): void {}
