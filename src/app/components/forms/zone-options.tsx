/** The zones of a `<select>`: a translated page still sends their own names (R156). */
export const ZoneOptions = ({ zones }: { zones: readonly string[] }) =>
  zones.map((zone) => (
    <option key={zone} value={zone} translate="no">
      {zone}
    </option>
  ))
