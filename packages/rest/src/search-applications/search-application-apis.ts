/**
 * The registry of APIs of search applications, one line an API.
 */
import type { RestApi } from '../api/rest-api.ts';
import {
  deleteSearchApplicationApi,
  getSearchApplicationApi,
  listSearchApplicationsApi,
  putSearchApplicationApi,
} from './search-applications.ts';
import { renderApplicationQueryApi, searchInApplicationApi } from './search-in-application.ts';

export const SEARCH_APPLICATION_APIS: readonly RestApi[] = [
  putSearchApplicationApi,
  getSearchApplicationApi,
  deleteSearchApplicationApi,
  listSearchApplicationsApi,
  searchInApplicationApi,
  renderApplicationQueryApi,
];
