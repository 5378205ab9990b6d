import { type ReactNode, useState } from 'react'
import { useDataSaver } from '../../hooks/use-data-saver.ts'
import { Button } from '../forms/button.tsx'

/** A whole photo; with the data saver on it loads when it is tapped, and `preview` stands in its place. */
export function PhotoOnTap(props: { children: ReactNode; preview?: ReactNode }) {
  const { isKnown, saves } = useDataSaver()
  const [isWanted, setIsWanted] = useState(false)
  if ((isKnown && !saves) || isWanted) return props.children
  return (
    <div className="relative grid min-h-40 place-items-center overflow-hidden rounded-control bg-green-wash">
      {props.preview}
      {isKnown && (
        <Button icon="picture" className="absolute" onClick={() => setIsWanted(true)}>
          Load photo
        </Button>
      )}
    </div>
  )
}
