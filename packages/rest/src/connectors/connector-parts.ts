/**
 * Shapes of the parts of a connector that have some structure: configuration, features, filters, pipeline, schedules.
 */
import {
  anything,
  count,
  cron,
  flag,
  instant,
  listOf,
  mapOf,
  nullable,
  objectOf,
  oneOf,
  text,
  type ValueCheck,
} from '../request/checked-values.ts';

const DISPLAYS = ['dropdown', 'numeric', 'text', 'textarea', 'textbox', 'toggle'];
const FIELD_TYPES = ['bool', 'int', 'list', 'str'];
const VALIDATIONS = ['greater_than', 'included_in', 'less_than', 'list_type', 'regex'];
const RULE_KINDS = ['<', '>', 'contains', 'ends_with', 'equals', 'regex', 'starts_with'];
const SWITCH = objectOf({ enabled: flag }, ['enabled']);

/** Fields that a user of the connector fills in, each with how it is shown and checked. */
export const CONFIGURATION: ValueCheck = mapOf(
  objectOf(
    {
      category: nullable(text),
      default_value: anything,
      depends_on: nullable(listOf(objectOf({ field: text, value: anything }, ['field', 'value']))),
      display: nullable(oneOf(DISPLAYS)),
      label: text,
      options: nullable(listOf(objectOf({ label: text, value: anything }, ['label', 'value']))),
      order: nullable(count),
      placeholder: nullable(text),
      required: nullable(flag),
      sensitive: nullable(flag),
      tooltip: nullable(text),
      type: nullable(oneOf(FIELD_TYPES)),
      ui_restrictions: nullable(listOf(text)),
      validations: nullable(
        listOf(objectOf({ constraint: anything, type: oneOf(VALIDATIONS) }, ['constraint', 'type'])),
      ),
      value: anything,
    },
    ['value'],
  ),
);

export const FEATURES: ValueCheck = objectOf({
  document_level_security: nullable(SWITCH),
  incremental_sync: nullable(SWITCH),
  native_connector_api_keys: nullable(SWITCH),
  sync_rules: nullable(objectOf({ advanced: nullable(SWITCH), basic: nullable(SWITCH) })),
});

export const SNIPPET: ValueCheck = objectOf({ created_at: instant, updated_at: instant, value: anything }, ['value']);

export const RULES: ValueCheck = listOf(
  objectOf(
    {
      created_at: instant,
      field: text,
      id: text,
      order: count,
      policy: oneOf(['exclude', 'include']),
      rule: oneOf(RULE_KINDS),
      updated_at: instant,
      value: text,
    },
    ['field', 'id', 'order', 'policy', 'rule', 'value'],
  ),
);

export const VALIDATION: ValueCheck = objectOf(
  {
    errors: listOf(objectOf({ ids: listOf(text), messages: listOf(text) }, ['ids', 'messages'])),
    state: oneOf(['edited', 'invalid', 'valid']),
  },
  ['errors', 'state'],
);

const RULE_SET = objectOf({ advanced_snippet: SNIPPET, rules: RULES, validation: VALIDATION }, [
  'advanced_snippet',
  'rules',
  'validation',
]);

export const FILTERING: ValueCheck = listOf(
  objectOf({ active: RULE_SET, domain: text, draft: RULE_SET }, ['active', 'draft']),
);

export const PIPELINE: ValueCheck = objectOf(
  { extract_binary_content: flag, name: text, reduce_whitespace: flag, run_ml_inference: flag },
  ['extract_binary_content', 'name', 'reduce_whitespace', 'run_ml_inference'],
);

const SCHEDULE = objectOf({ enabled: flag, interval: cron }, ['enabled', 'interval']);

export const SCHEDULING: ValueCheck = objectOf({
  access_control: nullable(SCHEDULE),
  full: nullable(SCHEDULE),
  incremental: nullable(SCHEDULE),
});
