/** Repositories in a Redis server. Node only. */
export type { RedisClient } from './client.ts'
export { type RedisOptions, redis } from './redis-backend.ts'
