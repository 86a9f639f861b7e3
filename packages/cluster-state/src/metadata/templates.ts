/**
 * Templates of indices in the cluster state: what an index is created with when its name fits a pattern.
 */
import type { AliasMetadata } from './alias-metadata.ts';
import type { DataStreamLifecycle } from './data-stream.ts';

type Json = Readonly<Record<string, unknown>>;

/** Parts that a template gives an index; a part is null when the template does not name it. */
export interface TemplateContent {
  /** Flat, with the `index.` prefix; every value as text. */
  readonly settings: Readonly<Record<string, string>> | null;
  /** Mapping JSON as the user sent it. */
  readonly mappings: Json | null;
  readonly aliases: ReadonlyMap<string, AliasMetadata> | null;
  /** Lifecycle of the data streams that are made from it. */
  readonly lifecycle: DataStreamLifecycle | null;
  /** `data_stream_options` as the user sent it. A member that is null takes away what templates below it say. */
  readonly streamOptions: Json | null;
}

/** Building block of index templates. */
export interface ComponentTemplate {
  readonly name: string;
  readonly content: TemplateContent;
  readonly version: number | null;
  readonly meta: Json | null;
  /** Whoever puts an index template that is composed of it is warned; null: the user did not say. */
  readonly isDeprecated: boolean | null;
}

/** Template that alone decides, by the highest priority, and that is composed of component templates. */
export interface IndexTemplate {
  readonly name: string;
  readonly indexPatterns: readonly string[];
  readonly content: TemplateContent | null;
  /** Later ones override earlier ones; the template's own content overrides all. */
  readonly composedOf: readonly string[];
  /** Component templates that may be missing; null when not given. */
  readonly ignoredMissing: readonly string[] | null;
  readonly priority: number | null;
  readonly version: number | null;
  readonly meta: Json | null;
  /** Makes data streams instead of indices; null: indices. */
  readonly dataStream: DataStreamTemplate | null;
  /** Wins over `action.auto_create_index`; null: that setting decides. */
  readonly allowsAutoCreate: boolean | null;
  /** What the user said of it; it is shown. */
  readonly isDeprecated: boolean | null;
}

export interface DataStreamTemplate {
  readonly isHidden: boolean;
}

/** Template of version 6: all that fit are merged, by their order. Without effect where an index template fits. */
export interface LegacyTemplate {
  readonly name: string;
  readonly indexPatterns: readonly string[];
  readonly order: number;
  readonly version: number | null;
  readonly content: TemplateContent;
}

/** All templates, each kind by name. */
export interface Templates {
  readonly index: ReadonlyMap<string, IndexTemplate>;
  readonly component: ReadonlyMap<string, ComponentTemplate>;
  readonly legacy: ReadonlyMap<string, LegacyTemplate>;
}

export type TemplateKind = keyof Templates;
export const TEMPLATE_KINDS: readonly TemplateKind[] = ['index', 'component', 'legacy'];

/** Most templates of one kind. */
export const TEMPLATES_MAX = 2_000;
/** Most patterns of one template, and most components of one. */
export const TEMPLATE_PARTS_MAX = 100;

export const NO_TEMPLATES: Templates = { index: new Map(), component: new Map(), legacy: new Map() };
