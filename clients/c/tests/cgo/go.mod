module smoke

go 1.23
