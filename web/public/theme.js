// Sets the theme before the first paint. A file of its own, because the page's policy allows no inline scripts.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const chosen = () => {
    try {
      return localStorage.getItem('holdfast.theme')
    } catch {
      return null
    }
  }
  const draw = () => {
    const own = chosen()
    const theme = own === 'light' || own === 'dark' ? own : dark.matches ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
  }
  draw()
  dark.addEventListener('change', draw)
  addEventListener('storage', draw)
  addEventListener('holdfast:theme', draw)
})()
