export type SignupRole = 'sender' | 'driver'

const roles = [
  ['sender', 'Sender', 'I send packages'],
  ['driver', 'Driver', 'I also deliver'],
] as const

/** The role of a new account (R1). */
export function RoleChoice(props: { role: SignupRole; onChange: (role: SignupRole) => void }) {
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="mb-1.5 text-sm font-semibold">I am a</legend>
      {roles.map(([role, label, text]) => (
        <label
          key={role}
          data-checked={props.role === role || undefined}
          className="relative grid min-h-16 content-center rounded-control border-[1.5px] border-edge px-4 py-2 data-checked:border-green data-checked:bg-green-wash"
        >
          <input
            type="radio"
            name="role"
            value={role}
            aria-label={label}
            checked={props.role === role}
            onChange={() => props.onChange(role)}
            className="covers"
          />
          <strong>{label}</strong>
          <span className="text-sm text-soft">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
