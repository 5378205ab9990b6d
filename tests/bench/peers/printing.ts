import { printed } from './table.ts'

/** Prints the table against the peers after all tests. */
export default function printing() {
  const began = Date.now()
  return () => {
    process.stdout.write(printed(began))
  }
}
