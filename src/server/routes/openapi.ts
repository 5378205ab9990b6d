import * as z from 'zod/mini'
import { Batch, BatchLine } from '#contract/batch.ts'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { type RequestSchema, requestSchemaOf } from '#contract/queries.ts'
import { statusOf } from '#contract/wire-errors.ts'
import { description, product } from '#domain/product.ts'
import type { Access, Endpoint } from '#operations/endpoint.ts'

/** The table as OpenAPI 3.1, for clients of another make. */
export function openApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [op, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(op as Op, endpoint)
  }
  Object.assign(paths, otherPaths())
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

/** Paths that are not in the endpoint table. Those outside `/api` name their own base. */
const otherPaths = (): Record<string, Record<string, object>> => ({
  '/batch': { post: batch() },
  '/events': { get: events },
  '/images/upload': { post: upload, options: plain('uploadPreflight', 'The methods and headers') },
  '/images/{name}': { get: photo('photo', withOrWithout, 'image/*') },
  '/images/thumbnails/{name}': { get: photo('thumbnail', nobody, 'image/webp') },
  '/openapi.json': { get: plain('openapi', 'This document', 'application/json') },
  '/healthz': { servers: outside, get: plain('health', 'The process runs', 'application/json') },
  '/readyz': { servers: outside, get: plain('readiness', 'It can serve', 'application/json') },
  '/metrics': {
    servers: outside,
    get: { ...plain('metrics', 'For Prometheus', 'text/plain'), 'x-by': 'operator' },
  },
  '/share': { servers: outside, post: plain('share', 'A page with the request form', 'text/html') },
})

const nobody: object[] = []
const withOrWithout = [{ token: [] }, {}]
const outside = [{ url: '/' }]

const plain = (operationId: string, description: string, type?: string) => ({
  operationId,
  security: nobody,
  'x-by': 'anyone',
  responses: {
    default: { description, ...(type ? { content: { [type]: {} } } : {}) },
  },
})

/** What changes, as it changes (R75, R94). */
const events = {
  operationId: 'events',
  security: [{ token: [] }],
  'x-by': 'person-or-guest',
  parameters: [
    { name: 'route', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } },
  ],
  responses: { 200: { description: 'Server-Sent Events', content: { 'text/event-stream': {} } } },
}

/** The built-in image provider, whose refusals nest their message. */
const upload = {
  operationId: 'uploadImage',
  security: nobody,
  'x-by': 'anyone',
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file', 'upload_preset'],
          properties: {
            file: { type: 'string', format: 'binary' },
            upload_preset: { type: 'string' },
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: 'Stored',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { secure_url: { type: 'string' } } },
        },
      },
    },
    default: { description: 'Refused, or failed' },
  },
}

/** A private photo is for admins alone (R55). */
const photo = (operationId: string, security: object[], type: string) => ({
  operationId,
  security,
  'x-by': security.length > 0 ? 'anyone-or-person' : 'anyone',
  parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    200: { description: 'The photo', content: { [type]: {} } },
    default: refusedResponse,
  },
})

/** Many operations in one request (R88). */
const batch = () => ({
  operationId: 'batch',
  security: withOrWithout,
  'x-by': 'anyone-or-person',
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

/** What a driver may have done before a cancel and report after it (R124). */
const mayComeLate: Op[] = ['changeStatus', 'completeDelivery']

const lateResponse = (response: Endpoint['response']) => ({
  description: 'Done before a cancel and heard after it: an admin decides about the dispute',
  content: content(response, 'output'),
})

function operation(operationId: Op, endpoint: Endpoint) {
  const { access, response, status, method } = endpoint
  const { body, query } = requestSchemaOf(operationId)
  return {
    operationId,
    security: securityOf(access),
    'x-by': access,
    parameters: parameters(endpoint, query),
    ...(body ? { requestBody: { required: true, content: content(body, 'input') } } : {}),
    responses: {
      [status]: { description: 'Done', content: content(response, 'output') },
      ...(mayComeLate.includes(operationId) ? { 202: lateResponse(response) } : {}),
      ...(method === 'GET' ? { 304: { description: 'As you hold it' } } : {}),
      default: refusedResponse,
    },
  }
}

const securityOf = (access: Access): object[] =>
  access === 'anyone' ? nobody : access === 'anyone-or-person' ? withOrWithout : [{ token: [] }]

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

// JSON Schema cannot express our custom checks.
const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
