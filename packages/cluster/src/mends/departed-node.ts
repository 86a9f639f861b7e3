/** A node that is not in the cluster any more, as texts name it. */
export interface DepartedNode {
  readonly id: string;
  /** null: it left before cluster states kept the names of such nodes, or only its id is known. */
  readonly name: string | null;
}

/** Without an article. */
export function departedText({ id, name }: DepartedNode): string {
  return name === null ? `node with the id [${id}]` : `node [${name}] with the id [${id}]`;
}
