/** Repositories in a PostgreSQL server. Node only. */
export type {
  PostgresConnection,
  PostgresNotification,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
} from './connection.ts'
export { type PostgresOptions, postgres } from './postgres-backend.ts'
