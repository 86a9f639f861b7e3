/** An answer, or a part of one, before it is written as JSON or YAML. */
export type View = Readonly<Record<string, unknown>>;
