import * as z from 'zod/mini'
import { Batch, BatchLine } from '#contract/batch.ts'
import { type Endpoint, endpoints, type Op } from '#contract/endpoints.ts'
import { statusOf } from '#contract/errors.ts'
import { type RequestSchema, requestSchemaOf } from '#contract/queries.ts'
import { description, product } from '#domain/product.ts'

/** The table as OpenAPI 3.1, for clients of another make. */
export function openApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [op, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(op as Op, endpoint)
  }
  paths['/batch'] = { post: batch() }
  return {
    openapi: '3.1.0',
    info: { title: product, description, version: '1' },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: failureSchema },
    },
  }
}

/** Many operations in one request (R88). */
const batch = () => ({
  operationId: 'batch',
  security: [{ token: [] }, {}],
  requestBody: { required: true, content: content(Batch, 'input') },
  responses: {
    200: {
      description: 'One line of JSON for each operation, as soon as its outcome is durable',
      content: { 'application/x-ndjson': { schema: schemaOf(BatchLine, 'output') } },
    },
    default: refusedResponse,
  },
})

const failureSchema = {
  type: 'object',
  required: ['error', 'reason'],
  properties: { error: { type: 'string' }, reason: { enum: Object.keys(statusOf) } },
}

const refusedResponse = {
  description: 'Refused, or failed',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

function operation(operationId: Op, endpoint: Endpoint) {
  const { access, response, status, method } = endpoint
  const { body, query } = requestSchemaOf(operationId)
  return {
    operationId,
    security: access === 'anyone' ? [] : [{ token: [] }],
    'x-by': access,
    parameters: parameters(endpoint, query),
    ...(body ? { requestBody: { required: true, content: content(body, 'input') } } : {}),
    responses: {
      [status]: { description: 'Done', content: content(response, 'output') },
      ...(method === 'GET' ? { 304: { description: 'As you hold it' } } : {}),
      default: refusedResponse,
    },
  }
}

function parameters({ path, method }: Endpoint, query: RequestSchema['query']) {
  const text = { type: 'string' }
  const uuid = { type: 'string', format: 'uuid' }
  const time = { type: 'string', format: 'date-time' }
  const names = query ? Object.keys(schemaOf(query, 'input').properties ?? {}) : []
  return [
    ...(path.includes(':id') ? [{ name: 'id', in: 'path', required: true, schema: uuid }] : []),
    ...(path.includes(':key') ? [{ name: 'key', in: 'path', required: true, schema: uuid }] : []),
    ...(path.includes(':code') ? [{ name: 'code', in: 'path', required: true, schema: text }] : []),
    ...names.map((name) => ({ name, in: 'query', schema: text })),
    ...(method === 'GET'
      ? [{ name: 'If-None-Match', in: 'header', schema: text }]
      : [
          { name: 'Idempotency-Key', in: 'header', schema: uuid },
          { name: 'Occurred-At', in: 'header', schema: time },
        ]),
  ]
}

const content = (schema: z.ZodMiniType, io: 'input' | 'output') => ({
  'application/json': { schema: schemaOf(schema, io) },
})

// Some checks are sentences of ours that JSON Schema has no word for.
const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
