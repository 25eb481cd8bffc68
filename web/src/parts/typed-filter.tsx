import { useSearch } from '../data/screen/search.ts'
import { Field, TextInput } from './field.tsx'

/** A filter that counts when the field is left, or with Enter: a half-written id is refused by the daemon. */
export function TypedFilter({
  label,
  name,
  placeholder,
}: {
  readonly label: string
  /** In the address. */
  readonly name: string
  readonly placeholder: string
}) {
  const { get, set } = useSearch()
  return (
    <Field label={label}>
      {(wired) => (
        <TextInput
          {...wired}
          key={get(name)}
          defaultValue={get(name)}
          placeholder={placeholder}
          onBlur={(event) => set({ [name]: event.target.value.trim() })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') set({ [name]: event.currentTarget.value.trim() })
          }}
        />
      )}
    </Field>
  )
}
