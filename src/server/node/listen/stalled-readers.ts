import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Progress = { answers: number; lastSeen: string; since: number }

/**
 * Bytes that wait in libuv: the only number that changes while a large chunk goes out over a slow line. It
 * is no public interface of Node. Without it such a reader is closed when the chunk takes too long.
 */
type WithHandle = { _handle?: { writeQueueSize?: number } | null }

/**
 * Closes connections whose client reads nothing of its answer for `timeout` milliseconds, checked every
 * `interval` milliseconds. Node's own timeout does not: any byte that the client sends restarts it.
 */
export function stalledReaders(timeout: number, interval: number) {
  const answering = new Map<Socket, Progress>()
  const timer = setInterval(() => {
    const now = Date.now()
    for (const [socket, progress] of answering) {
      // An answer that waited behind another one of its connection emits no `close`.
      if (socket.destroyed) {
        answering.delete(socket)
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
    watch(socket: Socket, answer: ServerResponse) {
      if (answer.destroyed || socket.destroyed) return
      // With pipelining a connection may have several open answers.
      const progress = answering.get(socket) ?? { answers: 0, lastSeen: '', since: Date.now() }
      progress.answers++
      answering.set(socket, progress)
      answer.once('close', () => {
        progress.answers--
        if (progress.answers === 0) answering.delete(socket)
      })
    },
    end: () => clearInterval(timer),
  }
}
