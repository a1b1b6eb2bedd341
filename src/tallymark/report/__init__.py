"""Results as pages of HTML: `sheet` has the page, `page` what stands on that of an evaluation, `rows` of any other."""
