/**
 * Fields that a document may still add to its mapping, where those beyond the limit of the index are left out
 * (`index.mapping.total_fields.ignore_dynamic_beyond_limit`): they stay in the source, and `_ignored` names them.
 */
import { fieldCount, type Mapping, type MappingJson } from '@shoal/schema';
import type { DocumentLimits } from './document-limits.ts';

export class FieldBudget {
  private readonly mapping: Mapping;
  /** null: the cluster manager refuses what is too much. */
  private left: number | null;
  /** Objects that only dotted names have named. */
  private readonly implied = new Set<string>();

  /** @param isAccepted the document is written already: the mapping has all that was added for it */
  constructor(mapping: Mapping, limits: DocumentLimits | null, isAccepted: boolean) {
    this.mapping = mapping;
    if (limits === null || !limits.leavesOutFieldsBeyondLimit) this.left = null;
    else this.left = isAccepted ? 0 : Math.max(0, limits.totalFieldsLimit - fieldCount(mapping));
  }

  /** Nothing may be added. */
  get isSpent(): boolean {
    return this.left === 0;
  }

  /** True when the field may be added, which counts it: itself, its multi-fields, and objects that its name implies. */
  take(path: string, declared: MappingJson, isAdded: (path: string) => boolean): boolean {
    if (this.left === null) return true;
    const objects: string[] = [];
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const above = path.slice(0, dot);
      // Its dots are part of its name from there on.
      if (this.mapping.flatAround(above) !== null) break;
      if (!this.mapping.objects.has(above) && !this.implied.has(above) && !isAdded(above)) objects.push(above);
    }
    const cost = objects.length + declaredCount(declared) - (this.implied.has(path) ? 1 : 0);
    if (cost > this.left) return false;
    this.left -= cost;
    for (const above of objects) this.implied.add(above);
    return true;
  }
}

function declaredCount({ fields, properties }: MappingJson): number {
  const count = (members: unknown): number =>
    typeof members === 'object' && members !== null
      ? Object.values(members).reduce((sum: number, member) => sum + declaredCount(member), 0)
      : 0;
  return 1 + count(fields) + count(properties);
}
