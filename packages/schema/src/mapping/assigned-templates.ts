/**
 * `dynamic_templates` of a write: dynamic templates that new fields of its document get by their names, whatever the conditions
 * of the templates are.
 */
import { mapperParsing } from '../declaration/mapping-error.ts';
import { derivedMapping } from './derived-mapping.ts';
import type { DynamicTemplate, Mapping } from './mapping.ts';

/** Names of templates by the paths of fields. */
export type AssignedTemplates = Readonly<Record<string, string>>;

/** The mapping with the named templates in front of all others, each for its field alone. */
export function withAssignedTemplates(mapping: Mapping, assigned: AssignedTemplates): Mapping {
  const known = new Map(mapping.dynamicTemplates.map((template) => [template.name, template]));
  const first = Object.entries(assigned).flatMap(([path, name]): DynamicTemplate[] => {
    const template = known.get(name);
    if (template === undefined) return [];
    const any = {
      matchMappingType: [],
      unmatchMappingType: [],
      match: [],
      unmatch: [],
      pathUnmatch: [],
      regexes: null,
      isNamedOnly: false,
    };
    return [{ ...template, ...any, pathMatch: [path] }];
  });
  return derivedMapping(mapping, { dynamicTemplates: [...first, ...mapping.dynamicTemplates] });
}

/** @throws mapper_parsing_exception for a new field that gets a template which the mapping lacks */
export function checkAssigned(mapping: Mapping, assigned: AssignedTemplates, isNew: (path: string) => boolean): void {
  for (const [path, name] of Object.entries(assigned)) {
    if (!isNew(path) || mapping.dynamicTemplates.some((template) => template.name === name)) continue;
    throw mapperParsing(`Can't find dynamic template for dynamic template name [${name}] of field [${path}]`);
  }
}
