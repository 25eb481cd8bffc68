/** A holdfast: what anchors seaweed to the rock. */
export const Logo = ({ size = 22 }: { readonly size?: number }) => (
  <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    <path
      d="M12 2v9M12 11c-5 0-7 3-7 6.5M12 11c5 0 7 3 7 6.5M12 11v11M8.5 15.5c-1 1-1.500 3-1 5.500M15.500 15.500c1 1 1.500 3 1 5.500"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
    />
  </svg>
)
