/**
 * The registry of APIs of data streams, one line an API.
 */
import type { RestApi } from './api/rest-api.ts';
import {
  dataStreamLifecycleStatsApi,
  deleteDataStreamLifecycleApi,
  explainDataStreamLifecycleApi,
  getDataStreamLifecycleApi,
  putDataStreamLifecycleApi,
} from './indices/data-streams/data-stream-lifecycle.ts';
import {
  deleteDataStreamOptionsApi,
  getDataStreamOptionsApi,
  putDataStreamOptionsApi,
} from './indices/data-streams/data-stream-options.ts';
import { dataStreamStatsApi } from './indices/data-streams/data-stream-stats.ts';
import {
  createDataStreamApi,
  deleteDataStreamsApi,
  getDataStreamsApi,
  migrateToDataStreamApi,
} from './indices/data-streams/data-streams.ts';
import { modifyDataStreamsApi, promoteDataStreamApi } from './indices/data-streams/modify-data-streams.ts';

export const DATA_STREAM_APIS: readonly RestApi[] = [
  createDataStreamApi,
  migrateToDataStreamApi,
  getDataStreamsApi,
  dataStreamStatsApi,
  deleteDataStreamsApi,
  modifyDataStreamsApi,
  promoteDataStreamApi,
  putDataStreamLifecycleApi,
  getDataStreamLifecycleApi,
  deleteDataStreamLifecycleApi,
  explainDataStreamLifecycleApi,
  dataStreamLifecycleStatsApi,
  putDataStreamOptionsApi,
  getDataStreamOptionsApi,
  deleteDataStreamOptionsApi,
];
