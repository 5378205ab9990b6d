import { once } from 'node:events'
import { createServer } from 'node:http'

export type ReceivedSpan = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code: number }
  attributes: Record<string, string | number>
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } }
type Export = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}

/** Receives traces as an OpenTelemetry collector does: OTLP over HTTP as JSON. `state` is what it answers with. */
export async function otlpReceiver() {
  const bodies: string[] = []
  const receiver = { status: 200, isSilent: false }
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (receiver.isSilent) return
    const isOurs = request.url === '/v1/traces' && request.method === 'POST'
    if (isOurs && receiver.status === 200) bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(isOurs ? receiver.status : 404, { 'content-type': 'application/json' })
    response.end('{}')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const exports = () => bodies.map((body): Export => JSON.parse(body))
  return {
    receiver,
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    /** Everything it has received, as it was sent. */
    text: () => bodies.join('\n'),
    spans: (): ReceivedSpan[] =>
      exports().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
          ),
        ),
      ),
    resources: () =>
      exports().flatMap(({ resourceSpans }) =>
        resourceSpans.map(({ resource }) => valuesOf(resource.attributes)),
      ),
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )
