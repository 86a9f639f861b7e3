/**
 * Fields of log events by their names, after the Elastic Common Schema: how a data stream of logs maps what its documents bring.
 */

type Json = Readonly<Record<string, unknown>>;

interface Convention {
  readonly name: string;
  readonly mapping: Json;
  /** Patterns of whole paths, or of last names. */
  readonly paths?: readonly string[];
  readonly names?: readonly string[];
  readonly except?: string;
  /** Kind of the first value. */
  readonly of?: 'string' | 'long' | 'double';
}

const withText = (type: string): Json => ({ type, fields: { text: { type: 'match_only_text' } } });
const usage: Json = { type: 'scaled_float', scaling_factor: 1_000 };

/** The first that fits decides. */
const CONVENTIONS: readonly Convention[] = [
  { name: 'timestamp', mapping: { type: 'date', ignore_malformed: false }, names: ['@timestamp'] },
  { name: 'message', mapping: { type: 'match_only_text' }, paths: ['message', '*.message'] },
  { name: 'addresses', mapping: { type: 'ip' }, paths: ['ip', '*.ip', '*_ip'], of: 'string' },
  {
    name: 'long_words',
    mapping: { type: 'wildcard' },
    paths: ['*.io.text', '*.message_id', '*registry.data.strings', '*url.path'],
  },
  { name: 'long_texts', mapping: withText('wildcard'), paths: ['*.body.content', '*url.full', '*url.original'] },
  { name: 'command_lines', mapping: withText('wildcard'), names: ['*command_line', '*stack_trace'] },
  {
    name: 'names',
    mapping: withText('keyword'),
    paths: [
      '*.title',
      '*.executable',
      '*.name',
      '*.working_directory',
      '*.full_name',
      '*file.path',
      '*file.target_path',
      '*os.full',
      'email.subject',
      'vulnerability.description',
      'user_agent.original',
    ],
  },
  {
    name: 'times',
    mapping: { type: 'date' },
    paths: [
      '*.timestamp',
      '*_timestamp',
      '*.not_after',
      '*.not_before',
      '*.accessed',
      'created',
      '*.created',
      '*.installed',
      '*.creation_date',
      '*.ctime',
      '*.mtime',
      'ingested',
      '*.ingested',
      '*.start',
      '*.end',
    ],
  },
  { name: 'scores', mapping: { type: 'float' }, paths: ['*.score.*', '*_score*'], except: '*.version' },
  { name: 'usage', mapping: usage, paths: ['*.usage'], of: 'double' },
  { name: 'whole_usage', mapping: usage, paths: ['*.usage'], of: 'long' },
  { name: 'places', mapping: { type: 'geo_point' }, paths: ['location', '*.location'] },
  { name: 'structures', mapping: { type: 'flattened' }, paths: ['*structured_data', '*exports', '*imports'] },
  { name: 'texts', mapping: { type: 'keyword', ignore_above: 1_024 }, of: 'string' },
];

/** Dynamic templates of a mapping. */
export function conventionTemplates(): readonly Json[] {
  return CONVENTIONS.map(({ name, mapping, paths, names, except, of }) => ({
    [`ecs_${name}`]: {
      ...(of !== undefined && { match_mapping_type: of }),
      ...(names !== undefined && { match: names }),
      ...(paths !== undefined && { path_match: paths }),
      ...(except !== undefined && { path_unmatch: except }),
      mapping,
    },
  }));
}
