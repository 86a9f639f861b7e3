import type { ClusterState } from '@shoal/cluster-state';
import { NO_CONFIG_FILES } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { deleteTemplates, putTemplate, type TemplateChange } from '../templates/put-template.ts';
import { clusterOf, testContext, testNode } from '../value/cluster-states.test-support.ts';
import { clusterValueModel, emptyClusterState } from '../value/cluster-value-model.ts';
import { withStackTemplates } from './with-stack-templates.ts';

const CONTEXT = { nodeSettings: {}, nowMs: 7 };
const empty = clusterOf();
const full = withStackTemplates(empty, CONTEXT);

const namesOf = ({ metadata }: ClusterState): unknown => ({
  component: [...metadata.templates.component.keys()],
  index: [...metadata.templates.index.keys()],
  pipelines: [...metadata.ingestPipelines.keys()],
  policies: [...metadata.lifecycle.policies.keys()],
});

const put = (state: ClusterState, change: Omit<TemplateChange, 'create'>): ClusterState =>
  putTemplate(state, { create: false, ...change }, NO_CONFIG_FILES);

describe('templates of the stack', () => {
  test('are what a cluster begins with, and are put once', () => {
    expect(namesOf(full)).toEqual({
      component: [
        'data-streams@mappings',
        'ecs@mappings',
        'logs-otel@mappings',
        'logs@mappings',
        'logs@settings',
        'metrics-otel@mappings',
        'metrics@mappings',
        'metrics@settings',
        'otel@mappings',
        'synthetics@mappings',
        'synthetics@settings',
        'traces-otel@mappings',
        'traces@mappings',
        'traces@settings',
      ],
      index: ['logs', 'logs-otel@template', 'metrics', 'metrics-otel@template', 'synthetics', 'traces-otel@template'],
      pipelines: ['logs@default-pipeline', 'logs@json-pipeline'],
      policies: ['logs@lifecycle', 'metrics@lifecycle', 'synthetics@lifecycle', 'traces@lifecycle'],
    });
    expect(withStackTemplates(full, CONTEXT)).toBe(full);
    const node = testNode('a');
    const model = clusterValueModel(() => testContext());
    const elected = model.withNodes(emptyClusterState('c'), { joined: [], left: [], newManager: node });
    expect(namesOf(elected)).toEqual(namesOf(full));
  });

  test('could be put by a user', () => {
    for (const { name, indexPatterns, priority } of full.metadata.templates.index.values()) {
      // Puts its own template again, with the checks of what is put.
      const template = full.metadata.templates.index.get(name);
      const body = { index_patterns: indexPatterns, priority, data_stream: {}, composed_of: template?.composedOf };
      const again = put(full, {
        kind: 'index',
        name,
        body: { ...body, ignore_missing_component_templates: template?.ignoredMissing },
      });
      expect(again.metadata.templates.index.get(name)?.composedOf).toEqual(template?.composedOf);
    }
  });

  test('are left out where the setting says so, and put when it says so no more', () => {
    const off = { nodeSettings: { 'stack.templates.enabled': 'false' } };
    expect(withStackTemplates(empty, { ...CONTEXT, ...off })).toBe(empty);
    const context = { ...testContext(), ...off };
    const changed = updateClusterSettings(
      empty,
      { persistent: { 'stack.templates.enabled': true }, transient: {} },
      context,
    );
    expect(namesOf(changed)).toEqual(namesOf(full));
  });

  test('come back when they were deleted', () => {
    const without = deleteTemplates(full, 'index', ['metrics']);
    expect(namesOf(withStackTemplates(without, CONTEXT))).toEqual(namesOf(full));
  });

  test('leave what a user has under their names, and what is made of it', () => {
    const body = { template: { mappings: { properties: { own: { type: 'long' } } } } };
    const own = put(empty, { kind: 'component', name: 'logs@mappings', body });
    const { templates } = withStackTemplates(own, CONTEXT).metadata;
    expect(templates.component.get('logs@mappings')).toBe(own.metadata.templates.component.get('logs@mappings'));
    const others = ['metrics', 'metrics-otel@template', 'synthetics', 'traces-otel@template'];
    expect([...templates.index.keys()]).toEqual(others);
  });

  test('leave a template of a user that fits the same names with the same priority', () => {
    const body = { index_patterns: ['metrics-cpu-*'], priority: 100 };
    const own = put(empty, { kind: 'index', name: 'mine', body });
    expect([...withStackTemplates(own, CONTEXT).metadata.templates.index.keys()]).toEqual([
      'logs',
      'logs-otel@template',
      'metrics-otel@template',
      'mine',
      'synthetics',
      'traces-otel@template',
    ]);
  });

  test('take the place of those of an older version', () => {
    const { templates } = full.metadata;
    const ours = templates.component.get('ecs@mappings');
    if (ours === undefined) throw new Error('no such template');
    const older = { ...ours, version: 0, content: { ...ours.content, mappings: {} } };
    const component = new Map([...templates.component, [older.name, older]]);
    const before = { ...full, metadata: { ...full.metadata, templates: { ...templates, component } } };
    expect(withStackTemplates(before, CONTEXT).metadata.templates.component.get(older.name)).toEqual(ours);
  });
});
