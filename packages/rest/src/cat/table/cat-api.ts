/**
 * Declaration of a `_cat` table: what all of them share, which is their parameters, their help, and the choice between text and
 * structured rows.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type ParameterDeclarations, textResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { ActionName, ApiTask, RestApi } from '../../api/rest-api.ts';
import { BYTES_UNITS, TIME_UNITS } from '../../bodies/unit-text.ts';
import {
  type CatColumn,
  type CatTable,
  type CatView,
  renderCatHelp,
  renderCatHelpRows,
  renderCatRows,
  renderCatText,
} from './cat-table.ts';

export interface CatDeclaration {
  readonly usageName: string;
  readonly paths: readonly string[];
  readonly privilege: ActionName;
  readonly task?: ApiTask;
  readonly columns: readonly CatColumn[];
  /** Parameters besides those of every table. */
  readonly params?: ParameterDeclarations;
  readonly table: (request: HttpRequest, context: CoordinatorContext) => Promise<CatTable>;
}

const CAT_PARAMETERS: ParameterDeclarations = {
  v: 'boolean',
  h: 'list',
  s: 'list',
  help: 'boolean',
  bytes: BYTES_UNITS,
  size: withoutEffect('string', 'no column holds a count that is shown with a unit'),
  time: TIME_UNITS,
  ts: 'boolean',
  pri: 'boolean',
  local: 'boolean',
  master_timeout: 'time',
  cluster_manager_timeout: 'time',
};

/** The API of one table. */
export function catApi(cat: CatDeclaration): RestApi {
  return {
    usageName: cat.usageName,
    methods: ['GET'],
    paths: cat.paths,
    privilege: cat.privilege,
    task: cat.task ?? null,
    params: { ...CAT_PARAMETERS, ...cat.params },
    handler: async (request, context) => {
      const isText = request.wantedFormat === null || request.wantedFormat === 'text';
      if (request.params.boolean('help', false)) {
        return isText ? textResponse(renderCatHelp(cat.columns)) : valueResponse(renderCatHelpRows(cat.columns));
      }
      const table = await cat.table(request, context);
      const view = viewOf(request);
      return isText ? textResponse(renderCatText(table, view)) : valueResponse(renderCatRows(table, view));
    },
  };
}

function viewOf({ params }: HttpRequest): CatView {
  return {
    headers: params.has('h') ? params.list('h') : null,
    sort: params.list('s'),
    isVerbose: params.boolean('v', false),
    bytes: BYTES_UNITS.find((unit) => unit === params.string('bytes')) ?? null,
    time: TIME_UNITS.find((unit) => unit === params.string('time')) ?? null,
    showPrimaryTwins: params.boolean('pri', false),
    showTimestamp: params.boolean('ts', true),
  };
}
