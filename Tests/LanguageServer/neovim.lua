-- Drives `carve lsp` from Neovim: findings appear, completion inserts a key, an action mends the
-- file. Run by .ci/test-lsp as: nvim --headless -u NONE -c "luafile neovim.lua", with the tool in
-- CARVE_TOOL and a Contents.json with a misspelled value in CARVE_FILE.

local function fail(text)
  io.stderr:write('neovim: ' .. text .. '\n')
  vim.cmd('cquit! 1')
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then fail('no ' .. what) end
end

local function codes()
  local found = {}
  for _, finding in ipairs(vim.diagnostic.get(0)) do found[finding.code or ''] = true end
  return found
end

vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.CARVE_FILE))
vim.bo.filetype = 'json'
local client = vim.lsp.start_client({
  name = 'carve', cmd = { vim.env.CARVE_TOOL, 'lsp' }, root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)

-- Findings appear.
wait('finding', function() return codes()['misspelled-value'] end)

-- An action mends the value.
local row = vim.fn.search('"Universal"')
vim.api.nvim_win_set_cursor(0, { row, 18 })
vim.ui.select = function(items, _, choose) choose(items[1], 1) end
vim.lsp.buf.code_action()
wait('mended text', function() return vim.fn.search('"universal"', 'n') > 0 end)
wait('end of the finding', function() return not codes()['misspelled-value'] end)

-- Completion inserts a key. Insert mode lasts until the timer ends it.
vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
vim.o.completeopt = 'menuone'
row = vim.fn.search('"scale"')
vim.api.nvim_buf_set_lines(0, row - 1, row - 1, false, { '      "display' })
vim.api.nvim_win_set_cursor(0, { row, 13 })
local function keys(text) return vim.api.nvim_replace_termcodes(text, true, false, true) end
local rounds = 0
local timer = vim.loop.new_timer()
timer:start(100, 100, vim.schedule_wrap(function()
  rounds = rounds + 1
  if vim.fn.pumvisible() == 1 then
    timer:stop()
    vim.api.nvim_feedkeys(keys('<C-y><Esc>'), 'n', false)
  elseif rounds > 300 then
    fail('no completion')
  end
end))
vim.api.nvim_feedkeys(keys('A<C-x><C-o>'), 'tx!', false)
wait('completed key', function() return vim.fn.search('"display-gamut" : ', 'n') > 0 end)
-- The key has no value yet.
wait('finding about the half typed text', function() return codes()['json-syntax'] end)
vim.cmd('qall!')
