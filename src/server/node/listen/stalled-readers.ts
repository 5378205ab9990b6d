import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Progress = { responses: number; lastSeen: string; since: number }

/**
 * Bytes that wait in libuv: the only number that changes while a large chunk goes out over a slow line. It
 * is no public interface of Node. Without it such a reader is closed when the chunk takes too long.
 */
type WithHandle = { _handle?: { writeQueueSize?: number } | null }

/**
 * Closes connections whose client reads nothing of its response for `timeout` milliseconds, checked every
 * `interval` milliseconds. Node's own timeout does not: any byte that the client sends restarts it.
 */
export function stalledReaders(timeout: number, interval: number) {
  const readers = new Map<Socket, Progress>()
  const timer = setInterval(() => {
    const now = Date.now()
    for (const [socket, progress] of readers) {
      // A response that waited behind another one of its connection emits no `close`.
      if (socket.destroyed) {
        readers.delete(socket)
        continue
      }
      const queued = (socket as WithHandle)._handle?.writeQueueSize ?? 0
      const current = `${socket.bytesWritten} ${socket.writableLength} ${queued}`
      const waits = socket.writableLength > 0 || queued > 0
      if (!waits || current !== progress.lastSeen)
        Object.assign(progress, { lastSeen: current, since: now })
      else if (now - progress.since > timeout) socket.destroy()
    }
  }, interval)
  timer.unref()
  return {
    watch(socket: Socket, response: ServerResponse) {
      if (response.destroyed || socket.destroyed) return
      // With pipelining a connection may have several open responses.
      const progress = readers.get(socket) ?? { responses: 0, lastSeen: '', since: Date.now() }
      progress.responses++
      readers.set(socket, progress)
      response.once('close', () => {
        progress.responses--
        if (progress.responses === 0) readers.delete(socket)
      })
    },
    end: () => clearInterval(timer),
  }
}
