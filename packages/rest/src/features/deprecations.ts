/**
 * `_migration/deprecations`: what of the cluster's configuration the next version would not take. Settings that are taken for the sake of
 * old clients and have no effect are all there is: whatever else is deprecated in Elasticsearch is refused here.
 */

import type { ClusterState, TemplateContent } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndexNames,
} from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { managedState } from '../request/managed-state.ts';
import { MANAGER_PARAMETERS } from '../request/manager-timeouts.ts';

type Json = Readonly<Record<string, unknown>>;

const OPTIONS: IndicesOptions = {
  ...METADATA_INDICES_OPTIONS,
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandsToHidden: true,
};
const RETENTION_SETTINGS = ['index.translog.retention.size', 'index.translog.retention.age'] as const;

export const deprecationsApi: RestApi = {
  usageName: 'deprecation_info',
  methods: ['GET'],
  paths: ['/_migration/deprecations', '/{index}/_migration/deprecations'],
  privilege: 'cluster:admin/xpack/deprecation/info',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: deprecations,
};

async function deprecations(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const expression = request.params.string('index') ?? '*';
  const names = resolveIndexNames(state, expression, OPTIONS, context.runtime.clock.wallMs());
  return valueResponse({
    cluster_settings: [],
    node_settings: [],
    ml_settings: [],
    index_settings: Object.fromEntries(names.flatMap((name) => indexIssues(state, name))),
    data_streams: {},
    templates: Object.fromEntries(templateIssues(state)),
    ilm_policies: {},
  });
}

function indexIssues({ metadata }: ClusterState, name: string): readonly (readonly [string, readonly Json[]])[] {
  const issues = retentionIssues(metadata.indices.get(name)?.settings ?? {});
  return issues.length === 0 ? [] : [[name, issues]];
}

function templateIssues({ metadata: { templates } }: ClusterState): readonly (readonly [string, readonly Json[]])[] {
  const all: readonly { readonly name: string; readonly content: TemplateContent | null }[] = [
    ...templates.index.values(),
    ...templates.component.values(),
    ...templates.legacy.values(),
  ];
  return all.flatMap(({ name, content }) => {
    const issues = retentionIssues(content?.settings ?? {});
    return issues.length === 0 ? [] : [[name, issues] as const];
  });
}

function retentionIssues(settings: Json): readonly Json[] {
  const set = RETENTION_SETTINGS.filter((setting) => setting in settings);
  if (set.length === 0) return [];
  return [
    {
      level: 'warning',
      message: 'translog retention settings are ignored',
      url: 'https://www.elastic.co/guide/en/elasticsearch/reference/current/index-modules-translog.html',
      details: `[${set.join('], [')}] can be removed: the operations behind the last commit are all that a recovery needs`,
      resolve_during_rolling_upgrade: false,
    },
  ];
}
